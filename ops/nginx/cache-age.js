// Completes what nginx answers from its cache (cache.conf), in njs: its age, and the headers that
// belong to the request that filled the cache.

/** Ids that the nodes accept from clients. */
const REQUEST_ID = /^[A-Za-z0-9_.:-]{1,64}$/
const FROM_CACHE = ['HIT', 'STALE', 'UPDATING', 'REVALIDATED']
const MS = 1000

function complete(r) {
  if (!FROM_CACHE.includes(r.variables.upstream_cache_status)) return
  const answeredMs = Date.parse(r.variables.upstream_http_date)
  // Rounded up, so that no answer looks newer than it is. The clocks of nginx and node must agree.
  r.headersOut.Age = String(Math.max(0, Math.ceil((Date.now() - answeredMs) / MS)))
  const given = r.headersIn['X-Request-Id'] || ''
  r.headersOut['X-Request-Id'] = REQUEST_ID.test(given) ? given : r.variables.request_id
  // Limits of the client that filled the cache. Answers from it count for nobody.
  delete r.headersOut.RateLimit
  delete r.headersOut['RateLimit-Policy']
}

export default { complete }

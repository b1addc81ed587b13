// Takes an API key back.
import type { ApiKey, Rest } from 'openvenue'

/** Revokes an API key, where the venue can be asked and still takes it. */
export async function revokeKey(rest: Rest, apiKey: ApiKey): Promise<void> {
  const body = { api_key: apiKey.key }
  await rest
    .withKey(apiKey)
    .call('DELETE /api-key', { body })
    .catch(() => {})
}

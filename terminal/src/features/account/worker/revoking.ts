// Revokes an API key.
import type { ApiKey, Rest } from 'openvenue'

/** Revokes an API key if the venue can be reached and still accepts it. */
export async function revokeKey(rest: Rest, apiKey: ApiKey): Promise<void> {
  const body = { api_key: apiKey.key }
  await rest
    .withKey(apiKey)
    .call('DELETE /api-key', { body })
    .catch(() => {})
}

// Creates a read-only API key through the page, so that a test can query REST for the same account.
import assert from 'node:assert/strict'
import { Rest } from 'openvenue'
import type { Page } from 'playwright-core'
import { goTo } from './shown-market.ts'

/** Returns a client with a key of the page's account; returns to the trading page. */
export async function readerOf(page: Page, apiUrl: string): Promise<Rest> {
  await goTo(page, 'Keys')
  const sheet = page.locator('main.sheet')
  await sheet.getByText('Create an API key').click()
  await sheet.getByLabel('Name').fill('a reader')
  await sheet.getByRole('button', { name: 'Create API key' }).click()
  const code = page.locator('.secret code')
  await code.first().waitFor()
  const [key, secret] = await code.allTextContents()
  assert.ok(key !== undefined && secret !== undefined)
  await sheet.getByRole('button', { name: "I've saved it" }).click()
  await goTo(page, 'Trade')
  return new Rest({ url: apiUrl, apiKey: { key, secret, signs: false } })
}

// Makes an API key that may read, by the page itself, so that a test asks REST of the same account.
import assert from 'node:assert/strict'
import { Rest } from 'openvenue'
import type { Page } from 'playwright-core'

/** Returns what asks for the account of the page; the page to trade on is shown again then. */
export async function readerOf(page: Page, apiUrl: string): Promise<Rest> {
  await page.locator('.page-links a[href*="page=keys"]').evaluate((link: HTMLElement) => {
    // It may be behind "More" where the window is narrow.
    link.click()
  })
  const sheet = page.locator('main.sheet')
  await sheet.getByText('Make an API key').click()
  await sheet.getByLabel('Name').fill('a reader')
  await sheet.getByRole('button', { name: 'Make the key' }).click()
  const code = page.locator('.secret code')
  await code.first().waitFor()
  const [key, secret] = await code.allTextContents()
  assert.ok(key !== undefined && secret !== undefined)
  await sheet.getByRole('button', { name: 'I have it' }).click()
  await page.locator('.page-links a', { hasText: 'Trade' }).click()
  return new Rest({ url: apiUrl, apiKey: { key, secret, signs: false } })
}

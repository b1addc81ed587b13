// Tests the page of keys, and compares its entries with the contract of accounts.
import assert from 'node:assert/strict'
import { accountsAbi } from '@openvenue/contracts/abi/accounts'
import { until } from '@openvenue/core/test/until'
import type { Devnet } from '@openvenue/devnet/devnet'
import type { Page } from 'playwright-core'
import { createPublicClient, type Hex, http } from 'viem'
import { PATIENCE_MS } from './browser.ts'

/** Time for transactions to be included in blocks. */
const CHAIN_MS_MAX = 60_000

export class KeysPage {
  readonly #page: Page
  readonly #devnet: Devnet

  constructor(page: Page, devnet: Devnet) {
    this.#page = page
    this.#devnet = devnet
  }

  readonly sheet = () => this.#page.locator('main.sheet')

  /** Presses a button of the page that asks for confirmation, and answers. */
  async press(name: string, answer: string): Promise<void> {
    await this.sheet().getByRole('button', { name }).first().click()
    const dialog = this.#page.locator('dialog[open]')
    await dialog.getByRole('button', { name: answer, exact: true }).click()
  }

  /** Waits until the page has no session, and no error. */
  async hasNone(): Promise<void> {
    await this.sheet()
      .getByText('Connect a wallet and enable trading')
      .waitFor({ timeout: CHAIN_MS_MAX })
    assert.equal(await this.sheet().getByRole('alert').count(), 0, 'nothing has failed')
  }

  /** Returns the expiry of a signing key in the contract. Unix seconds. */
  async endOf(key: Hex): Promise<number> {
    const { chain, accounts } = this.#contract()
    const args = [key] as const
    return (await chain.readContract({ ...accounts, functionName: 'keyOf', args }))[1]
  }

  /** Returns the expiry of an address's permission to cancel for a wallet, from the contract. */
  async #mayUntil(wallet: Hex, canceller: Hex): Promise<number> {
    const { chain, accounts } = this.#contract()
    const args = [wallet] as const
    const account = await chain.readContract({ ...accounts, functionName: 'traderAccount', args })
    return chain.readContract({
      ...{ ...accounts, functionName: 'cancellerExpiry', args: [account, canceller] },
    })
  }

  /** Checks that the venue is listed as a canceller, revokes it and allows it again. */
  async changeCancellers(wallet: Hex): Promise<void> {
    const rows = this.sheet()
      .getByRole('region', { name: 'Cancel-only permissions' })
      .locator('tbody tr')
    await this.sheet().getByText('Cancel-only permissions (1)').waitFor()
    const [who, address = ''] = await rows.first().locator('td').allTextContents()
    assert.equal(who, 'the venue')
    const readExpiry = () => this.#mayUntil(wallet, address as Hex)
    const nowSeconds = Date.now() / 1_000
    assert.ok((await readExpiry()) > nowSeconds)
    await this.press(`Revoke the venue, ${address}`, 'Cancel')
    assert.ok((await readExpiry()) > nowSeconds, 'it was asked about, and not done')
    await this.press(`Revoke the venue, ${address}`, 'Revoke')
    await this.sheet().getByText('None', { exact: true }).waitFor({ timeout: CHAIN_MS_MAX })
    assert.equal(await readExpiry(), 0)
    await this.sheet().getByRole('button', { name: 'Allow venue to cancel' }).click()
    await this.sheet().getByText('Cancel-only permissions (1)').waitFor({ timeout: CHAIN_MS_MAX })
    assert.equal(await rows.first().locator('td').nth(1).textContent(), address)
    const isAllowed = async () => (await readExpiry()) > nowSeconds
    await until('the contract has it as well', isAllowed, PATIENCE_MS)
  }

  #contract() {
    const { rpcUrl, deployment } = this.#devnet
    const accounts = { address: deployment.accounts as Hex, abi: accountsAbi }
    return { chain: createPublicClient({ transport: http(rpcUrl) }), accounts }
  }
}

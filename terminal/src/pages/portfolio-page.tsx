// Results of the account: what it was worth, and what it made, paid and got, day by day.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { createWorking } from '../account/working.ts'
import { CellsTable } from '../tables/cells-table.tsx'
import { saveFile } from '../tables/save-file.ts'
import {
  DAY_COLUMNS,
  EQUITY_COLUMNS,
  PERIODS,
  type Period,
  type PortfolioView,
} from '../worker/pages/page-protocol.ts'
import { EquityCurve } from './equity-curve.tsx'
import { FactTiles } from './fact-tiles.tsx'
import { NeedsAccount } from './needs-account.tsx'
import { PageProblem } from './page-problem.tsx'
import './pages.css'
import './second.css'
import type { PageProps } from './page-props.ts'

const WORDS: Readonly<Record<Period, string>> = {
  '1': 'today',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  all: 'all',
}

export function PortfolioPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [period, setPeriod] = createSignal<Period>('7')
  const [view, setView] = createSignal<PortfolioView>()
  const [isUnread, setUnread] = createSignal(false)
  const account = () =>
    props.venue.shown.wallet.isEnabled &&
    `${props.venue.shown.wallet.address}${props.venue.shown.acting}`
  const read = async () => {
    const [whose, days] = [account(), period()]
    const found = whose === false ? undefined : await work('readPortfolio', { period: days })
    // Another account, or another period, may have been chosen meanwhile.
    if (whose !== account() || days !== period()) return
    setUnread(found === undefined && whose !== false)
    if (found !== undefined || whose === false) setView(found)
  }
  // What was read of one account is not shown as another's.
  createEffect(on(account, () => setView(undefined)))
  createEffect(on([account, period], () => void read()))
  const save = async (what: 'days' | 'equity') => {
    const text = await work('exportPortfolio', { period: period(), what })
    if (text !== undefined) saveFile(`${what}-${WORDS[period()].replace(' ', '-')}.csv`, text)
  }
  return (
    <main class="sheet">
      <div class="sheet-head">
        <h2>Portfolio</h2>
        <fieldset class="tabs">
          <legend class="hidden">Period</legend>
          <For each={PERIODS}>
            {(one) => (
              <button type="button" aria-pressed={one === period()} onClick={() => setPeriod(one)}>
                {WORDS[one]}
              </button>
            )}
          </For>
        </fieldset>
        <Show when={view()}>
          {(shown) => (
            <p class="quiet">
              as of {shown().readAt}{' '}
              <button type="button" class="framed" disabled={isBusy()} onClick={() => void read()}>
                Read again
              </button>
            </p>
          )}
        </Show>
      </div>
      <NeedsAccount {...props} what="Results are those of an account.">
        <PageProblem
          problem={problem()}
          isUnread={isUnread()}
          isBusy={isBusy()}
          again={() => void read()}
        />
        <Show when={view()} fallback={isUnread() ? undefined : <p class="empty">Reading …</p>}>
          {(shown) => <Results view={shown()} isBusy={isBusy()} save={(what) => void save(what)} />}
        </Show>
      </NeedsAccount>
    </main>
  )
}

type ResultsProps = Readonly<{
  view: PortfolioView
  isBusy: boolean
  save: (what: 'days' | 'equity') => void
}>

const Results = (props: ResultsProps) => (
  <>
    <FactTiles facts={props.view.now} />
    <Show
      when={!props.view.isEmpty}
      fallback={
        <p class="empty">
          Nothing has been traded yet. Results stand here from the first fill on; equity is written
          down now and then for as long as the account has a key.
        </p>
      }
    >
      <h3 class="part">Results of the period</h3>
      <FactTiles facts={props.view.period} />
      <div class="part-head">
        <h3 class="part">Equity</h3>
        <button
          type="button"
          class="framed"
          disabled={props.isBusy || props.view.equity.rows.length === 0}
          onClick={() => props.save('equity')}
        >
          Equity as CSV
        </button>
      </div>
      <EquityCurve equity={props.view.equity} />
      <details>
        <summary>Equity as a table</summary>
        <CellsTable
          caption="Equity at the end of each day"
          columns={EQUITY_COLUMNS}
          rows={props.view.equity.rows}
          none="No equity is written down yet."
        />
      </details>
      <div class="part-head">
        <h3 class="part">Day by day</h3>
        <button
          type="button"
          class="framed"
          disabled={props.isBusy || props.view.days.length === 0}
          onClick={() => props.save('days')}
        >
          Days as CSV
        </button>
      </div>
      <Show when={props.view.limit}>
        <p class="quiet">{props.view.limit}</p>
      </Show>
      <CellsTable
        caption="Results day by day"
        columns={DAY_COLUMNS}
        rows={props.view.days}
        none="Nothing was traded or settled in this period."
      />
    </Show>
  </>
)

// Performance of the account: equity, and realized results, fees and funding by day.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { saveFile } from '../../page/export-button.tsx'
import { FactTiles, NeedsAccount, PageProblem, type PageProps } from '../../page/secondary-page.tsx'
import { createWorking } from '../../page/working.ts'
import { CellsTable } from '../tables/cells-table.tsx'
import {
  CURVE,
  DAY_COLUMNS,
  EQUITY_COLUMNS,
  type EquityView,
  PERIODS,
  type Period,
  type PortfolioView,
} from './portfolio-protocol.ts'
import '../../page/pages.css'
import '../../page/second.css'

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
    // Another account or period may have been chosen meanwhile.
    if (whose !== account() || days !== period()) return
    setUnread(found === undefined && whose !== false)
    if (found !== undefined || whose === false) setView(found)
  }
  // Data of one account must not be shown as another's.
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
                Refresh
              </button>
            </p>
          )}
        </Show>
      </div>
      <NeedsAccount {...props} what="Results belong to an account.">
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
          No trades yet. Results appear here after the first fill; equity is recorded from time to
          time while the account has a key.
        </p>
      }
    >
      <h3 class="part">Performance</h3>
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
          caption="Equity at the end of the day"
          columns={EQUITY_COLUMNS}
          rows={props.view.equity.rows}
          none="No equity recorded yet."
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
        caption="Results by day"
        columns={DAY_COLUMNS}
        rows={props.view.days}
        none="No trades or settlements in this period."
      />
    </Show>
  </>
)

/** The equity curve. The table below it has the same data for screen readers. */
const EquityCurve = (props: Readonly<{ equity: EquityView }>) => (
  <Show
    when={props.equity.path}
    fallback={
      <p class="empty">
        No chart yet: the venue records equity from time to time while the account has a key.
      </p>
    }
  >
    <figure class="curve">
      <svg
        viewBox={`0 0 ${CURVE.width} ${CURVE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Equity from ${props.equity.from} to ${props.equity.to} UTC: lowest ${props.equity.low}, highest ${props.equity.high}`}
      >
        <path d={props.equity.path} vector-effect="non-scaling-stroke" />
      </svg>
      <span class="curve-high">{props.equity.high}</span>
      <span class="curve-low">{props.equity.low}</span>
      <figcaption>
        <span>{props.equity.from}</span>
        <span class="quiet">UTC</span>
        <span>{props.equity.to}</span>
      </figcaption>
    </figure>
  </Show>
)

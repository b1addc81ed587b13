// Performance of the account: equity, and realized results, fees and funding by day.
import { createEffect, createSignal, For, on, Show } from 'solid-js'
import { saveFile } from '../../page/export-button.tsx'
import { FactTiles, NeedsAccount, PageProblem, type PageProps } from '../../page/secondary-page.tsx'
import { createWorking } from '../../page/working.ts'
import { CellsTable } from '../tables/cells-table.tsx'
import {
  CURVE,
  type EquityView,
  PERIODS,
  type Period,
  type PortfolioView,
} from './portfolio-protocol.ts'
import * as text from './text.ts'
import '../../page/pages.css'
import '../../page/second.css'

export function PortfolioPage(props: PageProps) {
  const { work, problem, isBusy } = createWorking(props.venue.ask)
  const [period, setPeriod] = createSignal<Period>('7')
  const [view, setView] = createSignal<PortfolioView>()
  const [isUnread, setUnread] = createSignal(false)
  const account = () =>
    props.venue.shown.wallet.isEnabled &&
    `${props.venue.shown.wallet.address}${props.venue.shown.acting}`
  const read = async () => {
    const [owner, days] = [account(), period()]
    const answer = owner === false ? undefined : await work('readPortfolio', { period: days })
    // Another account or period may have been chosen meanwhile.
    if (owner !== account() || days !== period()) return
    setUnread(answer === undefined && owner !== false)
    if (answer !== undefined || owner === false) setView(answer)
  }
  // Data of one account must not be shown as another's.
  createEffect(on(account, () => setView(undefined)))
  createEffect(on([account, period], () => void read()))
  const save = async (series: 'days' | 'equity') => {
    const file = await work('exportPortfolio', { period: period(), series })
    const name = `${series}-${text.periodNames[period()].replace(' ', '-')}.csv`
    if (file !== undefined) saveFile(name, file)
  }
  return (
    <main class="sheet">
      <div class="sheet-head">
        <h2>{text.portfolio}</h2>
        <fieldset class="tabs">
          <legend class="hidden">{text.period}</legend>
          <For each={PERIODS}>
            {(days) => (
              <button
                type="button"
                aria-pressed={days === period()}
                onClick={() => setPeriod(days)}
              >
                {text.periodNames[days]}
              </button>
            )}
          </For>
        </fieldset>
        <Show when={view()}>
          {(shown) => (
            <p class="quiet">
              {text.asOf(shown().readAt)}{' '}
              <button type="button" class="framed" disabled={isBusy()} onClick={() => void read()}>
                {text.refresh}
              </button>
            </p>
          )}
        </Show>
      </div>
      <NeedsAccount {...props} reason={text.needsAccount}>
        <PageProblem
          problem={problem()}
          isUnread={isUnread()}
          isBusy={isBusy()}
          again={() => void read()}
        />
        <Show when={view()} fallback={isUnread() ? undefined : <p class="empty">{text.loading}</p>}>
          {(shown) => (
            <Results view={shown()} isBusy={isBusy()} save={(series) => void save(series)} />
          )}
        </Show>
      </NeedsAccount>
    </main>
  )
}

type ResultsProps = Readonly<{
  view: PortfolioView
  isBusy: boolean
  save: (series: 'days' | 'equity') => void
}>

const Results = (props: ResultsProps) => (
  <>
    <FactTiles facts={props.view.now} />
    <Show when={!props.view.isEmpty} fallback={<p class="empty">{text.noTrades}</p>}>
      <h3 class="part">{text.performance}</h3>
      <FactTiles facts={props.view.period} />
      <div class="part-head">
        <h3 class="part">{text.equity}</h3>
        <button
          type="button"
          class="framed"
          disabled={props.isBusy || props.view.equity.rows.length === 0}
          onClick={() => props.save('equity')}
        >
          {text.equityCsv}
        </button>
      </div>
      <EquityCurve equity={props.view.equity} />
      <details>
        <summary>{text.equityTable}</summary>
        <CellsTable
          caption={text.equityCaption}
          columns={text.equityColumns}
          rows={props.view.equity.rows}
          none={text.noEquity}
        />
      </details>
      <div class="part-head">
        <h3 class="part">{text.dayByDay}</h3>
        <button
          type="button"
          class="framed"
          disabled={props.isBusy || props.view.days.length === 0}
          onClick={() => props.save('days')}
        >
          {text.daysCsv}
        </button>
      </div>
      <Show when={props.view.limit}>
        <p class="quiet">{props.view.limit}</p>
      </Show>
      <CellsTable
        caption={text.daysCaption}
        columns={text.dayColumns}
        rows={props.view.days}
        none={text.noDays}
      />
    </Show>
  </>
)

/** The equity curve. The table below it has the same data for screen readers. */
const EquityCurve = (props: Readonly<{ equity: EquityView }>) => (
  <Show when={props.equity.path} fallback={<p class="empty">{text.noCurve}</p>}>
    <figure class="curve">
      <svg
        viewBox={`0 0 ${CURVE.width} ${CURVE.height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={text.curve(props.equity)}
      >
        <path d={props.equity.path} vector-effect="non-scaling-stroke" />
      </svg>
      <span class="curve-high">{props.equity.high}</span>
      <span class="curve-low">{props.equity.low}</span>
      <figcaption>
        <span>{props.equity.from}</span>
        <span class="quiet">{text.utc}</span>
        <span>{props.equity.to}</span>
      </figcaption>
    </figure>
  </Show>
)

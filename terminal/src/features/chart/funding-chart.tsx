// The settled hours of funding: as bars, and as a table of the same numbers.
import { createEffect, createSignal, For, on, onCleanup, onMount, Show } from 'solid-js'
import type { Venue } from '../../page/venue.ts'
import { AskError } from '../../protocol/asking.ts'
import { type ChartColors, readColors } from './chart-colors.ts'
import type { FundingHour, FundingView } from './chart-protocol.ts'
import { createPlot } from './plot.ts'
import * as text from './text.ts'

/** Minimum width of a bar with its gap; older hours are only in the table. */
const BAR_PX = 6
const AGAIN_MS = 60_000

type FundingProps = Readonly<{ venue: Venue; looks: string }>

export function FundingChart(props: FundingProps) {
  const { funding, problem } = createFunding(props.venue)
  let canvas: HTMLCanvasElement | undefined
  onMount(() => {
    if (canvas === undefined) return
    let colors = readColors(document.body)
    const plot = createPlot(canvas, (context, size) =>
      drawBars(context, funding()?.hours ?? [], { ...size, colors }),
    )
    createEffect(on(funding, () => plot.redraw()))
    createEffect(
      on(
        () => props.looks,
        () => {
          colors = readColors(document.body)
          plot.redraw()
        },
      ),
    )
  })
  return (
    <div class="drawing funding">
      <div class="funding-plot">
        <p>{problem() || averageText(funding())}</p>
        <canvas ref={canvas} />
      </div>
      <section class="funding-hours" tabindex={0} aria-label={text.fundingHours}>
        <table>
          <thead>
            <tr>
              <th scope="col">{text.hourUntil}</th>
              <th scope="col">{text.hourlyRate}</th>
              <th scope="col">{text.yearlyRate}</th>
              <th scope="col">{text.mark}</th>
            </tr>
          </thead>
          <tbody>
            <For each={funding()?.hours}>
              {(hour) => (
                <tr>
                  <td>{hour.time}</td>
                  <td classList={{ buy: hour.rank > 0, sell: hour.rank < 0 }}>{hour.rate}</td>
                  <td>{hour.yearly}</td>
                  <td>{hour.mark}</td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
        <Show when={funding()?.hours.length === 0}>
          <p>{text.fundingTerms}</p>
        </Show>
      </section>
    </div>
  )
}

const averageText = (funding: FundingView | undefined): string =>
  funding?.average
    ? text.averageFunding(funding.hours.length, funding.average, funding.averageYearly)
    : text.noFunding

/** Reads the hours of the market that is shown, now and then again: another one may have ended. */
function createFunding(venue: Venue) {
  const [funding, setFunding] = createSignal<FundingView>()
  const [problem, setProblem] = createSignal('')
  const read = async (market: string) => {
    try {
      const hours = await venue.ask('readFunding', { market })
      if (venue.shown.market === market) setFunding(hours)
      setProblem('')
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      setProblem(error.problem.message)
    }
  }
  createEffect(
    on(
      () => venue.shown.market,
      (market) => {
        setFunding(undefined)
        void read(market)
      },
    ),
  )
  const timer = setInterval(() => document.hidden || read(venue.shown.market), AGAIN_MS)
  onCleanup(() => clearInterval(timer))
  return { funding, problem }
}

type ChartArea = Readonly<{ width: number; height: number; colors: ChartColors }>

/** The newest hour to the right; zero in the middle. */
function drawBars(
  context: CanvasRenderingContext2D,
  hours: readonly FundingHour[],
  { width, height, colors }: ChartArea,
): void {
  const shown = hours.slice(0, Math.floor(width / BAR_PX))
  const most = Math.max(...shown.map(({ rank }) => Math.abs(rank)), Number.EPSILON)
  const middle = Math.round(height / 2)
  const step = Math.min(width / Math.max(shown.length, 1), 4 * BAR_PX)
  context.fillStyle = colors.line
  context.fillRect(0, middle, width, 1)
  for (const [at, { rank }] of shown.entries()) {
    const high = (Math.abs(rank) / most) * (middle - 4)
    context.fillStyle = rank >= 0 ? colors.buy : colors.sell
    context.fillRect(
      width - (at + 1) * step + 1,
      rank >= 0 ? middle - high : middle,
      step - 2,
      high,
    )
  }
}

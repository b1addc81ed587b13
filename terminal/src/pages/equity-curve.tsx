// The line of equity. Whoever does not see it has the table below it.
import { Show } from 'solid-js'
import { CURVE, type EquityView } from '../worker/pages/page-protocol.ts'

export const EquityCurve = (props: Readonly<{ equity: EquityView }>) => (
  <Show
    when={props.equity.path}
    fallback={
      <p class="empty">
        A line needs two points: the venue writes equity down now and then, once the account has a
        key.
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

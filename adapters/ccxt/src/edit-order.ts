// Merges an edit into the order that it replaces; members that are not given are kept.
import type { Dict } from 'ccxt'
import type { NewOrder } from 'openvenue/signing'
import { flagParam, TRIGGERS } from './params.ts'

type EditContext = Readonly<{ old: NewOrder; edit: NewOrder; type: string; params: Dict }>

/**
 * Returns the order to sign. `kept` would place the old order again; `wanted` is the new order of
 * the arguments and `params`, with the defaults of a new order.
 */
export function mergeEdit({ old, edit, type, params }: EditContext): NewOrder {
  const { timeInForce, postOnly, reduceOnly: _r, trigger, mmp: _m, ...always } = edit
  const { timeInForce: force, postOnly: rests, trigger: oldTrigger, reduceOnly, ...others } = old
  const isNewTime = type === 'market' || 'timeInForce' in params || 'postOnly' in params
  const [time, post] = isNewTime ? [timeInForce, postOnly] : [force, rests]
  const isReduceOnly = 'reduceOnly' in params ? flagParam(params, 'reduceOnly') : reduceOnly
  const isTriggered = TRIGGERS.some((name) => name in params)
  const either = isTriggered ? trigger : oldTrigger
  return {
    ...others,
    ...always,
    ...(time !== undefined && { timeInForce: time }),
    ...(post !== undefined && { postOnly: post }),
    ...(isReduceOnly === true && { reduceOnly: true }),
    ...(either !== undefined && { trigger: either }),
    ...(flagParam(params, 'mmp') && { mmp: true }),
  }
}

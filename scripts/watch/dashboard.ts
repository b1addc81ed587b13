// Reads the dashboard as Grafana's file has it, as far as its tests look.
import { readFileSync } from 'node:fs'

export type Panel = Readonly<{
  id: number
  type: string
  title: string
  gridPos: Readonly<{ x: number; y: number; w: number; h: number }>
  targets?: readonly Readonly<{ refId: string; expr: string; datasource: { uid: string } }>[]
}>

type Dashboard = Readonly<{
  title: string
  uid: string
  schemaVersion: number
  templating: Readonly<{ list: readonly Readonly<{ name: string; type: string }>[] }>
  panels: readonly Panel[]
}>

export const readDashboard = (): Dashboard =>
  JSON.parse(readFileSync('ops/dashboard.json', 'utf8')) as Dashboard

/** Returns the names of all series that `text` asks for, each once. */
export const seriesIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\bopenvenue_[a-z_]+/g) ?? []),
]

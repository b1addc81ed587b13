// Runs Prometheus, from Debian's package, on the processes of a venue, with the operators' alerts.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../net/ports.ts'
import { Child } from './child.ts'
import { until } from './until.ts'

const RULES = fileURLToPath(new URL('../../../ops/alerts.yml', import.meta.url))
const PROGRAM = '/usr/bin/prometheus'
const READY_MS_MAX = 60_000
const ANSWER_MS_MAX = 5_000

/** An alert that is pending or firing. */
type Alert = Readonly<{
  name: string
  isFiring: boolean
  labels: Readonly<Record<string, string>>
  summary: string
}>

type AlertsAnswer = Readonly<{
  data: Readonly<{
    alerts: readonly Readonly<{
      state: string
      labels: Readonly<Record<string, string>>
      annotations: Readonly<Record<string, string>>
    }>[]
  }>
}>

export class Prometheus {
  readonly url: string
  readonly #child: Child

  private constructor(url: string, child: Child) {
    this.url = url
    this.#child = child
  }

  /** Starts one in `folder` that scrapes `urls` every five seconds. */
  static async start(folder: string, urls: readonly string[]): Promise<Prometheus> {
    if (!existsSync(PROGRAM))
      throw new Error('Prometheus is missing: npm run test:alerts installs it')
    const dataDir = join(folder, 'prometheus')
    mkdirSync(dataDir)
    const targets = urls.map((url) => JSON.stringify(new URL(url).host)).join(', ')
    const config = [
      'global: { scrape_interval: 5s, scrape_timeout: 4s, evaluation_interval: 5s }',
      `rule_files: [${JSON.stringify(RULES)}]`,
      'scrape_configs:',
      '  - job_name: openvenue',
      `    static_configs: [{ targets: [${targets}] }]`,
    ]
    const configPath = join(dataDir, 'prometheus.yml')
    writeFileSync(configPath, `${config.join('\n')}\n`)
    const address = `127.0.0.1:${await freePort()}`
    const child = Child.start({
      command: PROGRAM,
      args: [
        `--config.file=${configPath}`,
        `--storage.tsdb.path=${join(dataDir, 'data')}`,
        `--web.listen-address=${address}`,
      ],
      logPath: join(folder, 'prometheus.log'),
    })
    const prometheus = new Prometheus(`http://${address}`, child)
    const isReady = async () => (await prometheus.#get('/-/ready')).ok
    await until('Prometheus is ready', isReady, READY_MS_MAX)
    return prometheus
  }

  /** Returns the pending and firing alerts. */
  async alerts(): Promise<readonly Alert[]> {
    const answer = (await (await this.#get('/api/v1/alerts')).json()) as AlertsAnswer
    return answer.data.alerts.map(({ state, labels, annotations }) => ({
      name: labels.alertname ?? '',
      isFiring: state === 'firing',
      labels,
      summary: annotations.summary ?? '',
    }))
  }

  async stop(): Promise<void> {
    await this.#child.end()
  }

  #get(path: string): Promise<Response> {
    return fetch(`${this.url}${path}`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
  }
}

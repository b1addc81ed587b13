// Begins the page: where the API is, which market the URL names.
import { render } from 'solid-js/web'
import { App } from './shell/app.tsx'
import './style.css'
import { openVenue } from './venue.ts'

type Config = Readonly<{ apiUrl: string; integratedUrl?: string }>

async function start(): Promise<void> {
  const { apiUrl, integratedUrl = '' } = (await (await fetch('./config.json')).json()) as Config
  // The page may stand behind a path prefix, as the API beside it does.
  const url = apiUrl === '' ? new URL('.', location.href).href : apiUrl
  const market = new URLSearchParams(location.search).get('market') ?? undefined
  const venue = openVenue({ apiUrl: url, integratedUrl }, market)
  render(() => <App venue={venue} />, document.getElementById('app') as HTMLElement)
}

void start()

// Begins the page: where the API is, which market the URL names.
import { render } from 'solid-js/web'
import { App } from './shell/app.tsx'
import './style.css'
import { type Hosts, openVenue } from './venue.ts'

/** What it says of the chain is for the worker: see `chain/venue-config.ts`. */
type Config = Readonly<{ apiUrl: string; integratedUrl?: string; faucetUrl?: string }>

/** Says where the venue is. The page may stand behind a path prefix, as the API beside it. */
async function readHosts(): Promise<Hosts> {
  const config = (await (await fetch('./config.json')).json()) as Config
  const { apiUrl, integratedUrl = '', faucetUrl = '' } = config
  return {
    apiUrl: apiUrl === '' ? new URL('.', location.href).href : apiUrl,
    ...{ integratedUrl, config },
    // It becomes a link: nothing but a page of the web.
    faucetUrl: /^https?:\/\//.test(faucetUrl) ? faucetUrl : '',
  }
}

// The worker starts while that is read, and the page is drawn while the worker starts.
const market = new URLSearchParams(location.search).get('market') ?? undefined
const venue = openVenue(readHosts(), market)
render(() => <App venue={venue} />, document.getElementById('app') as HTMLElement)

// Renders the page.
import { render } from 'solid-js/web'
import { begun } from './begin.ts'
import { App } from './shell/app.tsx'
import './style.css'
import { openVenue } from './page/venue.ts'

const venue = openVenue(begun)
// In a separate task: after this one ends, the browser can lay out the static page.
setTimeout(() => render(() => <App venue={venue} />, document.getElementById('app') as HTMLElement))

// Draws the page.
import { render } from 'solid-js/web'
import { begun } from './begin.ts'
import { App } from './shell/app.tsx'
import './style.css'
import { openVenue } from './venue.ts'

const venue = openVenue(begun)
// In a task of its own: where this one ends, the browser lays out what is there.
setTimeout(() => render(() => <App venue={venue} />, document.getElementById('app') as HTMLElement))

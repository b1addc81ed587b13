// Draws the page.
import { render } from 'solid-js/web'
import { begun } from './begin.ts'
import { App } from './shell/app.tsx'
import './style.css'
import { openVenue } from './venue.ts'

const venue = openVenue(begun)
render(() => <App venue={venue} />, document.getElementById('app') as HTMLElement)

// How the page looks, as the person at it chose: kept in localStorage, which has nothing else.
import { createEffect } from 'solid-js'
import { createStore } from 'solid-js/store'
import { DEFAULTS, readSettings, type Settings } from './settings-text.ts'

const KEY = 'openvenue.settings'

export type SettingsStore = Readonly<{
  chosen: Settings
  choose: (change: Partial<Settings>) => void
}>

/** Reads what was chosen before; each choice is seen at once, and kept. */
export function createSettings(): SettingsStore {
  const [chosen, setChosen] = createStore<Settings>(read())
  createEffect(() => {
    const root = document.documentElement.dataset
    root['theme'] = chosen.theme
    root['palette'] = chosen.palette
    root['motion'] = chosen.motion
    root['mirror'] = String(chosen.isMirrored)
    document.documentElement.style.setProperty('--bottom-px', `${chosen.bottomPx}px`)
    keep({ ...chosen })
  })
  return { chosen, choose: (change) => setChosen(change) }
}

// A browser may refuse the storage: the page then looks as it does for whoever comes first.
function read(): Settings {
  try {
    return readSettings(localStorage.getItem(KEY))
  } catch {
    return DEFAULTS
  }
}

function keep(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings))
  } catch {
    // It is as chosen until the page is left.
  }
}

// Style of the pages that this server generates: light and dark, for wide screens and phones.

export const PAGE_STYLE = `
      :root {
        color-scheme: light dark;
        --text: #1f2328; --quiet: #59636e; --line: #d8dee4; --back: #fff; --code: #f4f6f8; --link: #0a58ca;
      }
      @media (prefers-color-scheme: dark) {
        :root { --text: #e4e7eb; --quiet: #9aa4af; --line: #343b44; --back: #14171b; --code: #1e2329; --link: #7db2ff; }
      }
      * { box-sizing: border-box; }
      body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; color: var(--text); background: var(--back); }
      main a, nav a { color: var(--link); }
      main h1 { margin: 0.5rem 0; line-height: 1.2; }
      main h2 { margin: 2.5rem 0 0.5rem; padding-bottom: 0.2rem; border-bottom: 1px solid var(--line); }
      main code, main pre { font: 0.875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
      main code { overflow-wrap: anywhere; }
      main pre { background: var(--code); padding: 0.75rem 1rem; border-radius: 6px; overflow-x: auto; }
      nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-bottom: 1rem; }
      body.docs nav { margin: 0; padding: 0.6rem 1.25rem; border-bottom: 1px solid var(--line); font-size: 0.9375rem; }
      footer { margin-top: 2rem; color: var(--quiet); }
`

/** Returns text escaped for a page, between tags or in quotes. */
export const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

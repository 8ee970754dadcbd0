/**
 * Opens a page of ours where the browser would show its error page: when the server is down, or a proxy has no server.
 * It stores nothing and handles nothing but pages.
 */

/** Longer than a page takes on a busy server. */
const timeoutMs = 20_000;
const away = new Set([502, 503, 504]);

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Server not responding · Headwater</title>
    <style>
      :root { color-scheme: light dark; --canvas: #f8fafa; --ink: #141c20; --ink-2: #4a5459; }
      @media (prefers-color-scheme: dark) { :root { --canvas: #0b0f12; --ink: #e9eeee; --ink-2: #abb6ba; } }
      body {
        margin: 0; min-height: 100dvh; display: grid; place-content: center; padding: 0 1rem;
        background: var(--canvas); color: var(--ink); font: 0.875rem/1.375rem ui-sans-serif, system-ui, sans-serif;
      }
      main { max-width: 28rem; }
      h1 { margin: 0 0 0.5rem; font-size: 1.625rem; line-height: 2.125rem; letter-spacing: -0.025em; }
      p { margin: 0; color: var(--ink-2); }
    </style>
  </head>
  <body>
    <main>
      <h1>Server not responding</h1>
      <p role="status">This page opens as soon as the server responds.</p>
    </main>
    <script>
      const away = [502, 503, 504];
      async function look() {
        try {
          const answer = await fetch('/api/user/me', { cache: 'no-store', signal: AbortSignal.timeout(5000) });
          if (!away.includes(answer.status)) return location.reload();
        } catch {}
        setTimeout(look, 2000);
      }
      setTimeout(look, 2000);
    </script>
  </body>
</html>`;

const sayAway = () =>
  new Response(page, { status: 503, headers: { 'Content-Type': 'text/html; charset=utf-8' } });

/** The page that was asked for, or the one that waits for it. A page that has begun to arrive may take its time. */
async function open(request) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), timeoutMs);
  try {
    const response = await fetch(request, { signal: late.signal });
    return away.has(response.status) ? sayAway() : response;
  } catch {
    return sayAway();
  } finally {
    clearTimeout(timer);
  }
}

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { mode, method, url } = event.request;
  if (mode !== 'navigate' || method !== 'GET') return;
  // An embed is a frame of another site, and what is below /api is no page.
  if (/^\/(?:api|embed)\//.test(new URL(url).pathname)) return;
  event.respondWith(open(event.request));
});

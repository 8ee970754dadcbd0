/** Markdown that browsers show instead of saving it. It changes with the version of the service only. */
export const markdownAnswer = (text: string): Response =>
  new Response(`${text}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });

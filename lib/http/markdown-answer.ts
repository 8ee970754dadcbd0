/** Markdown that browsers display instead of saving it. It changes only with the version of the service. */
export const markdownAnswer = (text: string): Response =>
  new Response(`${text}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });

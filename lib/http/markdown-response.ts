/** A response with Markdown that browsers display instead of saving it. Browsers may cache it for an hour. */
export const createMarkdownResponse = (text: string): Response =>
  new Response(`${text}\n`, {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  });

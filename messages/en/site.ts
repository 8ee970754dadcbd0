/** Texts of all pages and of error pages. */
export const site = {
  description: 'Live streams and video assets on your own server.',
  error: {
    title: 'Something went wrong',
    text: 'Your data on the server is safe. Trying again often helps.',
    details: 'The server log has details under <code>{digest}</code>.',
    tryAgain: 'Try again',
  },
  notFound: {
    title: 'Page not found',
    text: 'The link is wrong, or the page was removed.',
    home: 'Go to the home page',
  },
} as const;

/** Name of the cookie with the id of the team that the pages show. */
export const teamCookieName = 'headwater-team';

/** Name of the query parameter of a master playlist that has the token of a preview. */
export const previewParameter = 'preview';

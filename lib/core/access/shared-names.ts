/** Cookie with the id of the team that the pages show. */
export const teamCookieName = 'headwater-team';

/** Query parameter of a master playlist that carries the token of a preview. */
export const previewParameter = 'preview';

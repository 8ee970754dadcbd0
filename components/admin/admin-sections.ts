/** The pages below /admin, in menu order. */
export const adminSections = ['accounts', 'invitations', 'nodes', 'queues', 'storage', 'settings'] as const;

export type AdminSection = (typeof adminSections)[number];

export const adminHref = (section: AdminSection): string => `/admin/${section}`;

import type { TaskGuide } from './guides/guide-steps';
import type { Method, Reference } from './model/reference';

export interface NavigationItem {
  readonly href: string;
  readonly title: string;
  /** Method of an operation; null for other pages. */
  readonly method: Method | null;
  /** Search terms besides the title, such as the id and the path of an operation. */
  readonly keywords: string;
}

export interface NavigationGroup {
  readonly title: string;
  readonly items: readonly NavigationItem[];
}

const basicsItem = (title: string, id: string, keywords = ''): NavigationItem => ({
  href: id === '' ? '/docs' : `/docs#${id}`,
  title,
  method: null,
  keywords,
});

const basics = [
  basicsItem('Introduction', '', 'base url getting started'),
  basicsItem('Authentication', 'authentication', 'api key bearer cors login'),
  basicsItem('Errors', 'errors', 'status codes'),
  basicsItem('Pagination', 'pagination', 'limit cursor filters order count'),
  basicsItem('Idempotency', 'idempotency', 'retry idempotency-key'),
  basicsItem('Rate limits', 'rate-limits', '429 retry-after'),
  basicsItem('Webhooks', 'webhooks', 'signature retries verify'),
  basicsItem('Studio API', 'studio-api', 'livepeer sdk'),
];

/** The navigation list: general rules, guides, then the entries by group. */
export function createNavigation(
  { entries }: Reference,
  guides: readonly Pick<TaskGuide, 'id' | 'title' | 'summary'>[],
): readonly NavigationGroup[] {
  const groups = [...new Set(entries.map(({ group }) => group))];
  return [
    { title: 'Basics', items: basics },
    {
      title: 'Guides',
      items: guides.map(({ id, title, summary }) => ({
        href: `/docs/guides/${id}`,
        title,
        method: null,
        keywords: summary,
      })),
    },
    ...groups.map((title) => ({
      title,
      items: entries
        .filter(({ group }) => group === title)
        .map((entry) => ({
          href: `/docs/${entry.id}`,
          title: entry.title,
          method: entry.kind === 'operation' ? entry.method : null,
          keywords: entry.kind === 'operation' ? `${entry.id} ${entry.method} ${entry.path}` : 'event',
        })),
    })),
  ];
}

/** Groups with the items that contain every search term. The title of the group counts as part of an item. */
export function searchNavigation(
  groups: readonly NavigationGroup[],
  search: string,
): readonly NavigationGroup[] {
  const terms = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (terms.length === 0) return groups;
  return groups
    .map(({ title, items }) => ({
      title,
      items: items.filter((item) => {
        const text = `${title} ${item.title} ${item.keywords}`.toLowerCase();
        return terms.every((term) => text.includes(term));
      }),
    }))
    .filter(({ items }) => items.length > 0);
}

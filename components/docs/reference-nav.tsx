'use client';

import { ChevronRight, List } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { cn } from '@/components/ui/class-names';
import { Input } from '@/components/ui/form/field';
import { SideSheet } from '@/components/ui/overlay/side-sheet';
import { MethodBadge } from './method-badge';
import { searchNavigation, type NavigationGroup, type NavigationItem } from './navigation-list';

/** The navigation list; on a narrow page a button opens it as a sheet. */
export function ReferenceNav({ groups }: { groups: readonly NavigationGroup[] }) {
  const listRef = useRef<HTMLElement>(null);
  useScrollToCurrent(listRef);
  return (
    <>
      <div className="mb-6 xl:hidden">
        <NavigationSheet groups={groups} />
      </div>
      <nav
        ref={listRef}
        aria-label="API reference"
        className="sticky top-10 hidden max-h-[calc(100dvh-5rem)] [scrollbar-width:thin] self-start overflow-y-auto pr-2 xl:block"
      >
        <SearchableNavigation groups={groups} />
      </nav>
    </>
  );
}

/** Scrolls the list to the current page, because the list is longer than the window. */
function useScrollToCurrent(listRef: RefObject<HTMLElement | null>): void {
  const path = usePathname();
  useEffect(() => {
    const listElement = listRef.current;
    const currentLink = listElement?.querySelector('[aria-current="page"]');
    if (!listElement || !currentLink) return;
    const [listBox, currentBox] = [listElement.getBoundingClientRect(), currentLink.getBoundingClientRect()];
    if (currentBox.top >= listBox.top && currentBox.bottom <= listBox.bottom) return;
    listElement.scrollBy({ top: currentBox.top - listBox.top - listBox.height / 2 });
  }, [listRef, path]);
}

function NavigationSheet({ groups }: { groups: readonly NavigationGroup[] }) {
  return (
    <SideSheet
      title="API reference"
      closeLabel="Close"
      trigger={
        <Button className="max-sm:h-11">
          <List aria-hidden="true" />
          Browse endpoints
        </Button>
      }
    >
      {(close) => (
        <nav aria-label="API reference" className="min-h-0 overflow-y-auto pr-1">
          <SearchableNavigation groups={groups} onNavigate={close} />
        </nav>
      )}
    </SideSheet>
  );
}

interface SearchableNavigationProps {
  groups: readonly NavigationGroup[];
  onNavigate?: () => void;
}

function SearchableNavigation({ groups, onNavigate }: SearchableNavigationProps) {
  const path = usePathname();
  const [search, setSearch] = useState('');
  const matchingGroups = searchNavigation(groups, search);
  const isSearching = search.trim() !== '';
  return (
    <>
      <div className="p-0.5">
        <Input
          type="search"
          aria-label="Search the API reference"
          placeholder="Search endpoints"
          value={search}
          autoComplete="off"
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <p role="status" className="text-ink-3 mt-3 px-2 text-sm empty:hidden">
        {isSearching && matchingGroups.length === 0 ? `Nothing matches “${search.trim()}”.` : ''}
      </p>
      {matchingGroups.map((group) => (
        <Group
          // A new key closes or opens the group again when the search or the current page changes.
          key={`${group.title} ${isSearching} ${path}`}
          group={group}
          open={
            isSearching ||
            ['Basics', 'Guides'].includes(group.title) ||
            group.items.some(({ href }) => href === path)
          }
          path={path}
          onNavigate={onNavigate}
        />
      ))}
    </>
  );
}

interface GroupProps {
  group: NavigationGroup;
  open: boolean;
  path: string;
  onNavigate: (() => void) | undefined;
}

function Group({ group: { title, items }, open, path, onNavigate }: GroupProps) {
  return (
    <details open={open} className="group mt-1 first-of-type:mt-3">
      <summary className="text-ink-2 hover:text-ink flex h-8 cursor-pointer list-none items-center gap-1.5 rounded-md px-2 text-sm font-medium max-sm:h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden="true"
          className="size-3.5 shrink-0 transition-transform group-open:rotate-90"
        />
        {title}
      </summary>
      <ul className="mt-1 grid gap-0.5">
        {items.map((item) => (
          <li key={item.href}>
            <NavigationLink item={item} current={item.href === path} onNavigate={onNavigate} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface NavigationLinkProps {
  item: NavigationItem;
  current: boolean;
  onNavigate: (() => void) | undefined;
}

function NavigationLink({ item: { href, title, method }, current, onNavigate }: NavigationLinkProps) {
  return (
    <Link
      href={href}
      // Next.js would otherwise prefetch a hundred pages.
      prefetch={false}
      aria-current={current ? 'page' : undefined}
      {...(onNavigate ? { onClick: onNavigate } : {})}
      className={cn(
        'text-ink-2 hover:bg-hover hover:text-ink flex min-h-8 items-center justify-between gap-2 rounded-md py-1 pr-1.5 pl-7 text-sm max-sm:min-h-11',
        current && 'bg-accent-soft text-accent-ink hover:bg-accent-soft hover:text-accent-ink font-medium',
      )}
    >
      <span className="min-w-0 wrap-anywhere">{title}</span>
      {method && <MethodBadge method={method} isShort />}
    </Link>
  );
}

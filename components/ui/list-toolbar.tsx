'use client';

import { Search } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Input } from './input';

interface ListToolbarProps {
  /** Of what the list is: "streams". */
  what: string;
  search: string;
  onSearch: (search: string) => void;
  /** Chips and other filters. */
  children?: ReactNode;
}

/** Search and filters above a list. The list follows each key stroke; the page decides how fast. */
export function ListToolbar({ what, search, onSearch, children }: ListToolbarProps) {
  const [text, setText] = useState(search);
  const [shown, setShown] = useState(search);
  // "Back" and "clear" change the search from outside.
  if (search !== shown) {
    setShown(search);
    if (search !== text.trim()) setText(search);
  }
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3">
      <div className="relative w-full sm:w-72">
        <Search aria-hidden="true" className="text-ink-3 absolute top-1/2 left-3 size-4 -translate-y-1/2" />
        <Input
          type="search"
          aria-label={`Search ${what} by name`}
          placeholder="Search by name"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onSearch(event.target.value.trim());
          }}
          className="pl-9"
        />
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-3 max-sm:w-full [&>*]:min-w-0">
        {children}
      </div>
    </div>
  );
}

'use client';

import { Search } from 'lucide-react';
import { useState } from 'react';
import { Chips } from '@/components/ui/chips';
import { Input } from '@/components/ui/input';
import { streamFilters, type StreamFilter } from './stream-list-query';

interface StreamToolbarProps {
  search: string;
  filter: StreamFilter;
  onSearch: (search: string) => void;
  onFilter: (filter: StreamFilter) => void;
}

/** Search and filter chips. The list follows each key stroke; the page decides how fast. */
export function StreamToolbar({ search, filter, onSearch, onFilter }: StreamToolbarProps) {
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
          aria-label="Search streams by name"
          placeholder="Search by name"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            onSearch(event.target.value.trim());
          }}
          className="pl-9"
        />
      </div>
      <div className="min-w-0 max-sm:w-full">
        <Chips
          label="Filter streams"
          value={filter}
          options={streamFilters}
          onChange={(value) => onFilter(streamFilters.find((each) => each.value === value)?.value ?? 'all')}
        />
      </div>
    </div>
  );
}

'use client';

import { useDeferredValue, useState } from 'react';
import { useTranslations } from 'use-intl';
import { Combobox } from '@/components/ui/form/combobox';
import { ALL_FILTER_VALUE } from '@/components/ui/table/list-state';
import { useStreams } from '@/lib/client/queries/stream-queries';

/** Number of listed streams. Other streams can be searched. */
const MAX_OPTIONS = '20';

/** Query for streams without their sessions, by name; null: no condition. */
const queryOf = (condition: { id: 'id' | 'name'; value: string } | null) => ({
  streamsonly: '1',
  limit: MAX_OPTIONS,
  // `false` after the name of the field means ascending.
  order: 'name-false',
  ...(condition ? { filters: JSON.stringify([condition]) } : {}),
});

interface StreamFilterProps {
  /** Id of a stream, or `ALL_FILTER_VALUE`. */
  value: string;
  onChange: (value: string) => void;
  /** Whether the field has the width of its form. */
  wide?: boolean;
}

/** Filters a list by one stream, which is searched by name. */
export function StreamFilter({ value, onChange, wide = false }: StreamFilterProps) {
  const t = useTranslations('streams.streamFilter');
  const [text, setText] = useState('');
  const searchText = useDeferredValue(text.trim());
  const matches = useStreams(queryOf(searchText ? { id: 'name', value: searchText } : null));
  const currentStreams = useStreams(queryOf({ id: 'id', value }), { enabled: value !== ALL_FILTER_VALUE });
  const allStreams = { value: ALL_FILTER_VALUE, label: t('allStreams') };
  const options = (matches.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  // The start of the id, until the name is loaded.
  const name = currentStreams.data?.items.find(({ id }) => id === value)?.name ?? value.slice(0, 8);
  return (
    <Combobox
      label={t('stream')}
      value={value}
      displayValue={value === ALL_FILTER_VALUE ? allStreams.label : name}
      options={searchText ? options : [allStreams, ...options]}
      text={text}
      onText={setText}
      searching={matches.isFetching || searchText !== text.trim()}
      onChange={onChange}
      wide={wide}
    />
  );
}

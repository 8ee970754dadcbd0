import { Fragment } from 'react';

type ShortcutRow = readonly [keys: readonly string[], label: string];

/** Keys and their actions, one per line. */
export function ShortcutRows({ rows }: { rows: readonly ShortcutRow[] }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-6">
      {rows.map(([keys, label]) => (
        <Fragment key={label}>
          <dt className="flex h-8 w-24 items-center gap-1">
            {keys.map((key) => (
              <kbd key={key} className="bg-sunken rounded-sm border px-1.5 font-mono text-xs leading-5">
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{label}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

'use client';

import { Checkbox } from 'radix-ui';
import { Check, Minus } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import { eventNames, type EventName } from '@/lib/core/webhooks/events';
import { SamplePayload } from './send-test';

interface EventPickerProps {
  /** Selected events. */
  value: readonly EventName[];
  error: string | undefined;
  onChange: (value: EventName[]) => void;
}

/** Part of the name before the dot. */
const groupOf = (name: EventName) => name.split('.')[0] ?? '';
/** Events by that part, in the order of the form. */
const groups = (['stream', 'recording', 'multistream', 'asset', 'task'] as const).map((group) => ({
  group,
  names: eventNames.filter((name) => groupOf(name) === group),
}));

/** Events in groups; the checkbox of a group selects all its events. */
export function EventPicker({ value, error, onChange }: EventPickerProps) {
  const t = useTranslations('webhooks.eventPicker');
  const id = useId();
  const [sampleEvent, setSampleEvent] = useState<EventName>('stream.started');
  // The events are always in the order of `eventNames`.
  const setEvents = (names: readonly EventName[], isSelected: boolean) =>
    onChange(eventNames.filter((name) => (names.includes(name) ? isSelected : value.includes(name))));
  return (
    <fieldset aria-describedby={`${id}-error`}>
      <legend className="mb-1.5 text-sm font-medium">{t('events')}</legend>
      <div className="grid gap-x-6 gap-y-4 rounded-md border p-4 sm:grid-cols-2">
        {groups.map(({ group, names }) => {
          const selectedCount = names.filter((name) => value.includes(name)).length;
          const checkedState =
            selectedCount === 0 ? false : selectedCount === names.length ? true : 'indeterminate';
          return (
            <div key={group} className="grid content-start gap-1">
              <Choice
                label={t(`group.${group}`)}
                isGroup
                checked={checkedState}
                onChange={() => setEvents(names, checkedState !== true)}
              />
              {names.map((name) => (
                <Choice
                  key={name}
                  label={name}
                  checked={value.includes(name)}
                  onChange={(isSelected) => setEvents([name], isSelected)}
                />
              ))}
            </div>
          );
        })}
      </div>
      <details className="mt-2">
        <summary className="text-ink-2 hover:text-ink cursor-pointer rounded-sm text-sm">
          {t('sampleEvent')}
        </summary>
        <div className="mt-3">
          <SamplePayload event={sampleEvent} onChoose={setSampleEvent} />
        </div>
      </details>
      <p id={`${id}-error`} role="alert" className="text-live-ink mt-1.5 text-sm empty:hidden">
        {error}
      </p>
    </fieldset>
  );
}

interface ChoiceProps {
  label: string;
  isGroup?: boolean;
  checked: boolean | 'indeterminate';
  onChange: (checked: boolean) => void;
}

function Choice({ label, isGroup, checked, onChange }: ChoiceProps) {
  const id = useId();
  const Icon = checked === 'indeterminate' ? Minus : Check;
  return (
    <div className="flex items-center gap-2.5">
      <Checkbox.Root
        id={id}
        checked={checked}
        onCheckedChange={(next) => onChange(next === true)}
        className="border-line-field data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent text-on-accent flex size-4 shrink-0 items-center justify-center rounded-sm border"
      >
        <Checkbox.Indicator>
          <Icon aria-hidden="true" className="size-3" strokeWidth={3} />
        </Checkbox.Indicator>
      </Checkbox.Root>
      <label htmlFor={id} className={isGroup ? 'py-0.5 font-medium' : 'text-ink-2 py-0.5 font-mono text-sm'}>
        {label}
      </label>
    </div>
  );
}

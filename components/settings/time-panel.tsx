'use client';

import { useState } from 'react';
import { Combobox } from '@/components/ui/form/combobox';
import { Field, Select } from '@/components/ui/form/field';
import { Panel } from '@/components/ui/panel';
import { auto, hourCycles, type Hours } from '@/components/ui/time/time-choice';
import { chooseTime, useTimeFormat, useTimeSettings } from '@/components/ui/time/time-settings';
import { useNowAs } from '@/components/ui/relative-time';
import { zoneOptions } from './time-zones';

const hourLabels: Readonly<Record<Hours, string>> = { '12': '12 hours (1:05 PM)', '24': '24 hours (13:05)' };

/** Time zone and hours of this browser; each change applies at once. */
export function TimePanel() {
  const { choice, browser } = useTimeSettings();
  const format = useTimeFormat();
  const now = useNowAs(format.dateAndTime);
  return (
    <Panel
      title="Time"
      description="Applies to every page in this browser. The usage page counts days in UTC."
    >
      <div className="grid max-w-sm gap-5">
        <ZoneChoice zone={choice.zone} browserZone={browser.zone} />
        <Field label="Hours">
          {(field) => (
            <Select
              {...field}
              value={choice.hours}
              onChange={({ target: { value } }) =>
                chooseTime({ hours: hourCycles.find((each) => each === value) ?? auto })
              }
            >
              <option value={auto}>Automatic: {hourLabels[browser.hours]}</option>
              {hourCycles.map((hours) => (
                <option key={hours} value={hours}>
                  {hourLabels[hours]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <p className="text-ink-2">
          Now:{' '}
          <span className="text-ink tabular-nums" suppressHydrationWarning>
            {now}
          </span>
        </p>
      </div>
    </Panel>
  );
}

function ZoneChoice({ zone, browserZone }: { zone: string; browserZone: string }) {
  const [text, setText] = useState('');
  const automatic = `Automatic: ${browserZone}`;
  return (
    <div className="grid justify-items-start gap-1.5">
      <span aria-hidden="true" className="text-sm font-medium">
        Time zone
      </span>
      <Combobox
        label="Time zone"
        value={zone}
        shown={zone === auto ? automatic : zone.replaceAll('_', ' ')}
        options={zoneOptions(text, automatic)}
        text={text}
        onText={setText}
        searching={false}
        onChange={(next) => chooseTime({ zone: next })}
        wide
      />
    </div>
  );
}

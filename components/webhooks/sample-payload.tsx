import { CodeBlock } from '@/components/ui/code-block';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { sampleEvent } from '@/lib/contract/event-samples';
import { eventNames, type EventName } from '@/lib/core/events';

interface SamplePayloadProps {
  event: EventName;
  onChoose: (event: EventName) => void;
}

/** An event to choose, and what is sent of it. */
export function SamplePayload({ event, onChoose }: SamplePayloadProps) {
  return (
    <div className="grid gap-4">
      <Field label="Event">
        {(field) => (
          <Select
            {...field}
            value={event}
            onChange={({ target }) =>
              onChoose(eventNames.find((name) => name === target.value) ?? 'stream.started')
            }
          >
            {eventNames.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <CodeBlock
        label="Sample payload"
        code={JSON.stringify(sampleEvent(event), null, 2)}
        wrap
        className="max-h-72 overflow-y-auto"
      />
    </div>
  );
}

import type { Field } from './model/fields';
import { TextWithCode } from './prose';

interface FieldListProps {
  /** Heading of the list, such as "Body". */
  label: string;
  fields: readonly Field[];
  /** Fields that are marked: required fields of a request, optional fields of a response. */
  mark: 'required' | 'optional' | 'none';
}

/** Names, types and limits of fields; nested objects can be expanded. */
export function FieldList({ label, fields, mark }: FieldListProps) {
  return (
    <ul aria-label={label} className="min-w-0 divide-y border-y">
      {fields.map((field) => (
        <li key={field.name} className="grid min-w-0 grid-cols-1 gap-1 py-3">
          <FieldLine field={field} mark={mark} />
          {field.description !== null && (
            <p className="text-ink-2 wrap-anywhere">
              <TextWithCode>{field.description}</TextWithCode>
            </p>
          )}
          {field.limits.length > 0 && (
            <p className="text-ink-3 text-sm wrap-anywhere">
              <TextWithCode>{field.limits.join(' ')}</TextWithCode>
            </p>
          )}
          {field.fields.length > 0 && (
            <CollapsibleFieldList label={`Fields of ${field.name}`} fields={field.fields} mark={mark} />
          )}
        </li>
      ))}
    </ul>
  );
}

function FieldLine({ field, mark }: { field: Field; mark: FieldListProps['mark'] }) {
  return (
    <div className="flex min-w-0 flex-wrap items-baseline gap-x-2.5">
      <code className="font-mono text-sm font-semibold wrap-anywhere">{field.name}</code>
      <span className="text-ink-3 text-sm wrap-anywhere">{field.type}</span>
      {mark === 'required' && field.required && (
        <span className="text-warn-ink text-xs font-medium">Required</span>
      )}
      {mark === 'optional' && !field.required && <span className="text-ink-3 text-xs">May be absent</span>}
    </div>
  );
}

export function CollapsibleFieldList({ label, fields, mark }: FieldListProps) {
  return (
    <details className="mt-1 min-w-0">
      <summary className="text-accent-ink w-fit cursor-pointer rounded-sm text-sm font-medium">
        {label}
      </summary>
      <div className="mt-2 border-l pl-4">
        <FieldList label={label} fields={fields} mark={mark} />
      </div>
    </details>
  );
}

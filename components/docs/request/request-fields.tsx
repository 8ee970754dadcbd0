'use client';

import type { Parameter } from '@/components/docs/model/reference';
import { parseBody, type Call, type RequestInput } from '@/components/docs/samples/sample-request';
import { Field, Input, Textarea } from '@/components/ui/form/field';

interface RequestFieldsProps {
  call: Call;
  values: RequestInput;
  onChange: (change: Partial<RequestInput>) => void;
  onPathChange: (name: string, value: string) => void;
}

/** An input for every value of the request. */
export function RequestFields({ call, values, onChange, onPathChange }: RequestFieldsProps) {
  return (
    <>
      {call.pathParameters.map((parameter) => (
        <ParameterInput
          key={parameter.name}
          parameter={parameter}
          value={values.path[parameter.name] ?? ''}
          onChange={(value) => onPathChange(parameter.name, value)}
        />
      ))}
      {call.queryParameters.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {call.queryParameters.map((parameter) => (
            <ParameterInput
              key={parameter.name}
              parameter={parameter}
              value={values.query[parameter.name] ?? ''}
              onChange={(value) => onChange({ query: { ...values.query, [parameter.name]: value } })}
            />
          ))}
        </div>
      )}
      {call.bodyExample !== null && <BodyInput value={values.body} onChange={(body) => onChange({ body })} />}
      {call.takesIdempotencyKey && (
        <Field label="Idempotency-Key">
          {(field) => (
            <Input
              {...field}
              value={values.idempotencyKey}
              placeholder="Optional"
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              // Only characters that an HTTP header can contain.
              onChange={(event) =>
                onChange({ idempotencyKey: event.target.value.replaceAll(/[^\x21-\x7e]/g, '') })
              }
            />
          )}
        </Field>
      )}
    </>
  );
}

interface ParameterInputProps {
  parameter: Parameter;
  value: string;
  onChange: (value: string) => void;
}

function ParameterInput({ parameter: { name, required, example }, value, onChange }: ParameterInputProps) {
  return (
    <Field label={name}>
      {(field) => (
        <Input
          {...field}
          value={value}
          required={required}
          placeholder={example || (required ? '' : 'Optional')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="font-mono"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

const MAX_BODY_ROWS = 16;

function BodyInput({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const isValid = parseBody(value) !== null;
  return (
    <Field
      label="Body"
      error={isValid ? undefined : 'The body is not valid JSON yet. The samples show the example.'}
    >
      {(field) => (
        <Textarea
          {...field}
          value={value}
          rows={Math.min(MAX_BODY_ROWS, value.split('\n').length + 1)}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

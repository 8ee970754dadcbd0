'use client';

import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { parseOrigin } from '@/lib/core/access/origin';

interface TypedOrigins {
  origins: string[];
  /** What is not an origin, with the reason. */
  error: string | undefined;
}

/** Reads what was typed or pasted: origins separated by spaces, commas or lines, in their one spelling. */
export function readTypedOrigins(text: string): TypedOrigins {
  const origins = new Set<string>();
  let error: string | undefined;
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const origin = part === '*' ? '*' : parseOrigin(part.replace(/\/$/, ''));
    if (origin) origins.add(origin);
    else error ??= reasonFor(part);
  }
  return { origins: [...origins], error };
}

function reasonFor(part: string): string {
  const shown = part.length > 60 ? `${part.slice(0, 60)}…` : part;
  if (!/^https?:\/\//i.test(part)) return `“${shown}” must start with https:// or http://`;
  if (part.includes('*')) return `“${shown}”: use * on its own, not as part of a host name`;
  if (URL.canParse(part) && new URL(part).pathname !== '/') {
    return `“${shown}” must not have a path: use ${new URL(part).origin}`;
  }
  return `“${shown}” must be scheme://host[:port], for example https://example.com`;
}

interface OriginsFieldProps {
  value: readonly string[];
  onChange: (origins: readonly string[]) => void;
  error?: string | undefined;
}

/** Adds origins one by one or pasted together; says what is wrong while it is typed. */
export function OriginsField({ value, onChange, error }: OriginsFieldProps) {
  const [text, setText] = useState('');
  const typed = readTypedOrigins(text);

  function add() {
    if (typed.error) return;
    onChange([...new Set([...value, ...typed.origins])]);
    setText('');
  }

  return (
    <div className="grid gap-2">
      <Field
        label="Allowed origins"
        hint="Websites that may use the key, for example https://example.com"
        error={complaint(text, typed.error) ?? error}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              value={text}
              inputMode="url"
              autoCapitalize="none"
              spellCheck={false}
              placeholder="https://example.com"
              onChange={(event) => setText(event.target.value)}
              onBlur={add}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || text.trim() === '') return;
                event.preventDefault();
                add();
              }}
            />
            <Button onClick={add} disabled={typed.origins.length === 0 || typed.error !== undefined}>
              Add
            </Button>
          </div>
        )}
      </Field>
      {value.length > 0 && (
        <ul aria-label="Origins of this key" className="flex flex-wrap gap-1.5">
          {value.map((origin) => (
            <li
              key={origin}
              className="bg-sunken inline-flex h-8 max-w-full items-center gap-1 rounded-md border pl-2.5 font-mono text-sm"
            >
              <span className="truncate">{origin}</span>
              <button
                type="button"
                aria-label={`Remove ${origin}`}
                onClick={() => onChange(value.filter((each) => each !== origin))}
                className="text-ink-3 hover:text-ink inline-flex size-8 items-center justify-center"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Half an address is not yet a mistake: complain once it cannot become one. */
function complaint(text: string, error: string | undefined): string | undefined {
  const last = text.trim().toLowerCase();
  const begun = ['https://', 'http://'].some((scheme) => scheme.startsWith(last));
  return begun ? undefined : error;
}

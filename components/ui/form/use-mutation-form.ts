'use client';

import {
  type FieldPath,
  type FieldValues,
  useForm,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import { issuesOf } from '@/lib/client/call';
import { errorMessageFor, otherErrorMessages } from './server-messages';

/** State of the API call that a form submits, such as a mutation of TanStack Query. */
export interface FormMutation {
  readonly isPending: boolean;
  readonly error: Error | null;
}

interface MutationFormOptions<
  Values extends FieldValues,
  Result,
  Name extends FieldPath<Values>,
> extends UseFormProps<Values, unknown, Result> {
  mutation: FormMutation;
  /**
   * Fields that show their errors: a list of names that the API uses too, or a record with one or several fields of the
   * API for each name.
   */
  fields: readonly Name[] | Readonly<Record<Name, string | readonly string[]>>;
}

export interface MutationFormState<
  Values extends FieldValues,
  Result = Values,
  Name extends FieldPath<Values> = FieldPath<Values>,
> extends UseFormReturn<Values, unknown, Result> {
  readonly mutation: FormMutation;
  /** Error of a field, from the form or the service. */
  readonly errorOf: (name: Name) => string | undefined;
  /** Errors of the service that concern no field of the form. */
  readonly otherErrors: string | undefined;
}

/** A form of react-hook-form whose submit is one call of the service. */
export function useMutationForm<Values extends FieldValues, Name extends FieldPath<Values>, Result = Values>({
  mutation,
  fields,
  ...options
}: MutationFormOptions<Values, Result, Name>): MutationFormState<Values, Result, Name> {
  const form = useForm<Values, unknown, Result>(options);
  const issues = issuesOf(mutation.error);
  const apiPaths = isList(fields) ? fields : Object.values<string | readonly string[]>(fields).flat();
  return {
    ...form,
    mutation,
    errorOf: (name) =>
      form.getFieldState(name, form.formState).error?.message ??
      errorMessageFor(isList(fields) ? name : fields[name], issues),
    otherErrors: otherErrorMessages(apiPaths, issues),
  };
}

/** Type guard for lists. `Array.isArray` does not narrow read-only lists. */
function isList<Item>(value: readonly Item[] | object): value is readonly Item[] {
  return Array.isArray(value);
}

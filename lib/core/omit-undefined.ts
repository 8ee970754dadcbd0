type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * Omits the fields of an object that are undefined. With `exactOptionalPropertyTypes`, an optional field must be absent
 * instead of undefined (docs/adr/0096-names.md).
 */
export const omitUndefined = <T extends object>(fields: T): WithoutUndefined<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as WithoutUndefined<T>;

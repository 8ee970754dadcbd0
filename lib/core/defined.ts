type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/**
 * The fields that are not undefined. With `exactOptionalPropertyTypes`, an optional field must be absent instead of
 * undefined (docs/adr/0096-names.md).
 */
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;

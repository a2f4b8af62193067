/** The checkout the bundler stands in; every bundle of it lands in its `.tributary/build`. */
export const checkout: string;

/**
 * Bundles a TypeScript entry of this repository for Node 20 and gives the path of the built file. Npm packages stay
 * outside the bundle. Nothing is built when no source has changed; processes that ask at once never see half a file.
 */
export function bundleFor(entryPath: string): Promise<string>;

/** A minimal Next app, to measure the cost of a route that does no work. */
export default { poweredByHeader: false, typescript: { ignoreBuildErrors: true } };

/** The one version of the API and of the tool server (spec, "Versioning"). */
export const API_VERSION = '1.25.0';

/** Headers for each request to a collector, such as its key: OTEL_EXPORTER_OTLP_HEADERS. */

/** `name=value,other=value`, as in every OpenTelemetry exporter. */
export function headersIn(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = env.OTEL_EXPORTER_OTLP_HEADERS ?? ''
  const pairs = given.split(',').flatMap((pair) => {
    const [name = '', ...value] = pair.split('=')
    return name.trim() === '' ? [] : [[name.trim(), decoded(value.join('=').trim())]]
  })
  return Object.fromEntries(pairs)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a plain percent sign
  }
}

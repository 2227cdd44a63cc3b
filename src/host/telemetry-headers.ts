/** What a collector wants with each request, such as its key: OTEL_EXPORTER_OTLP_HEADERS. */

/** `name=value,other=value`, as every exporter of OpenTelemetry reads it. */
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

import { Empty } from '../ui/empty.tsx'

export function View() {
  return <Empty title="Now" />
}

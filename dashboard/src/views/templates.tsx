import { ShelfView } from '../ui/shelf.tsx'

export function View() {
  return <ShelfView shelf="templates" />
}

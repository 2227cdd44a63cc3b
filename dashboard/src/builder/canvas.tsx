/** The hooks of an event as a graph: in which order they run, and what is passed from one to the next. Loaded when it is shown. */

import {
  Background,
  type Connection,
  Controls,
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
  useNodesState,
} from '@xyflow/react'
import css from '@xyflow/react/dist/base.css'
import { useEffect, useMemo } from 'preact/hooks'
import { useSheet } from '../ui/sheet.ts'
import { Text } from '../ui/text.tsx'
import type { Builder, OrderRow } from './state.ts'

const NODE_WIDTH_PX = 240
const NODE_HEIGHT_PX = 76
const GAP_PX = 34

type Data = { row?: OrderRow; title: string; note: string; kind: 'event' | 'hook' | 'end' }
type HookNode = Node<Data>

export function Canvas({ builder, onChoose }: { builder: Builder; onChoose: (name: string) => void }) {
  useSheet(css)
  const order = builder.view.value?.order ?? []
  const event = builder.view.value?.hook?.event ?? ''
  const key = JSON.stringify(order)
  const graph = useMemo(() => graphOf(order, event), [key, event])
  const [nodes, setNodes, onNodesChange] = useNodesState<HookNode>(graph.nodes)
  useEffect(() => setNodes(graph.nodes), [graph])
  const draft = order.find((row) => row.is_draft)
  const after = draft?.after ?? []
  const setAfter = (names: string[]) =>
    void builder.edit({ path: ['after'], ...(names.length > 0 ? { value: names } : {}) })
  const connect = ({ source, target }: Connection) => {
    if (target === draft?.name && source !== draft.name && !after.includes(source))
      setAfter([...after, source])
  }
  if (!draft) return <p class="soft pad">The canvas shows the hook when it loads: fix its problems first.</p>
  return (
    <section
      class="flow"
      aria-label={`The hooks of ${event} as a graph; the list "Order" of the form says the same`}
    >
      <ReactFlow
        nodes={nodes}
        edges={graph.edges}
        onNodesChange={onNodesChange}
        onConnect={connect}
        onEdgesDelete={(edges: Edge[]) => {
          const gone = edges
            .filter(({ target, data }) => target === draft.name && data?.chain)
            .map(({ source }) => source)
          if (gone.length > 0) setAfter(after.filter((name) => !gone.includes(name)))
        }}
        onNodeClick={(_event: unknown, node: HookNode) =>
          node.data.row && !node.data.row.is_draft && onChoose(node.data.row.name)
        }
        nodeTypes={NODES}
        fitView
        fitViewOptions={{ maxZoom: 1 }}
        minZoom={0.2}
        proOptions={{ hideAttribution: true }}
      >
        <Background />
        <Controls showInteractive={false} />
      </ReactFlow>
    </section>
  )
}

function HookBox({ data }: NodeProps<HookNode>) {
  const { row, title, note, kind } = data
  return (
    <div class="flow-node" data-kind={kind} data-draft={row?.is_draft ? '' : undefined}>
      {kind !== 'event' && <Handle type="target" id="turn" position={Position.Top} isConnectable={false} />}
      {kind === 'hook' && <Handle type="target" id="in" position={Position.Right} className="chain in" />}
      <strong>
        <Text of={title} brief={28} />
      </strong>
      <span>
        <Text of={note} brief={64} />
      </span>
      {kind === 'hook' && <Handle type="source" id="out" position={Position.Right} className="chain out" />}
      {kind !== 'end' && <Handle type="source" id="turn" position={Position.Bottom} isConnectable={false} />}
    </div>
  )
}

const NODES = { hook: HookBox }

/** Nodes and edges from the event through each hook to the answer; an edge between hooks where one runs `after` another. */
function graphOf(order: readonly OrderRow[], event: string): { nodes: HookNode[]; edges: Edge[] } {
  const START = '\0event'
  const END = '\0answer'
  const waits = order.filter(({ mode }) => mode !== 'background')
  const background = order.filter(({ mode }) => mode === 'background')
  const plain = (source: string, target: string, more: Partial<Edge> = {}): Edge => ({
    id: `${source}→${target}${String(more.label ?? '')}`,
    source,
    target,
    sourceHandle: 'turn',
    targetHandle: 'turn',
    deletable: false,
    ...more,
  })
  const edges: Edge[] = []
  let last = START
  for (const { name } of waits) {
    edges.push(plain(last, name))
    last = name
  }
  edges.push(plain(last, END))
  for (const { name } of background)
    edges.push(
      plain(last === START ? START : last, name, {
        label: 'not waited for',
        style: { strokeDasharray: '2 4' },
      }),
    )
  const names = new Set(order.map(({ name }) => name))
  for (const { name, after, is_draft } of order)
    for (const before of after) {
      if (!names.has(before)) continue
      edges.push(
        plain(before, name, {
          label: 'data',
          sourceHandle: 'out',
          targetHandle: 'in',
          animated: true,
          deletable: is_draft,
          data: { chain: true },
          markerEnd: { type: MarkerType.ArrowClosed },
        }),
      )
    }
  const boxes: [string, Data][] = [
    [START, { title: event, note: 'the event', kind: 'event' }],
    ...order.map((row): [string, Data] => [
      row.name,
      { row, title: row.name, note: `${row.runs} · ${row.matches || 'every call'}`, kind: 'hook' },
    ]),
    [END, { title: 'answer', note: 'deny before ask before allow', kind: 'end' }],
  ]
  return {
    edges,
    nodes: boxes.map(([id, data]) => {
      // Hooks are drawn one below the other in the order they run; hooks in the background beside them.
      const isBackground = data.row?.mode === 'background'
      const turn = id === START ? 0 : id === END ? waits.length + 1 : waits.indexOf(data.row!) + 1
      const x = isBackground ? NODE_WIDTH_PX + 3 * GAP_PX : 0
      const y = (isBackground ? background.indexOf(data.row!) + 1 : turn) * (NODE_HEIGHT_PX + GAP_PX)
      return {
        id,
        type: 'hook',
        position: { x, y },
        data,
        deletable: false,
        ariaLabel: data.kind === 'hook' ? `hook ${data.title}: ${data.note}` : data.title,
        connectable: data.kind === 'hook',
      }
    }),
  }
}

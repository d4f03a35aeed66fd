import torch, pytest
from readhead.data.batch import Batch, Text
from readhead.layers.embedding import Embedding
from readhead.models import MODELS
from tests import laws
MINE=["conditional","lstm-attention","word-by-word","mlstm","lstmn-shallow-fusion","lstmn-deep-fusion"]
def make(name, seed=0):
    torch.manual_seed(seed)
    e=Embedding(table=torch.randn(laws.VOCABULARY,4),trainable=True,projection_dim=laws.EMBEDDED)
    return laws.make(MODELS[name],embedding=e,num_classes=3)
each=pytest.mark.parametrize("name",MINE)
@each
def test_learns(name): laws.assert_every_parameter_learns(make(name),laws.make_batch(16))
@each
def test_pad(name): laws.assert_padding_and_batch_mates_change_nothing(make(name),laws.make_batch(6))
@each
def test_saved(name,tmp_path): laws.assert_opens_as_saved(make(name),make(name,1),laws.make_batch(4),tmp_path/"w.safetensors")
@each
def test_heart(name): laws.assert_overfits(make(name),laws.make_batch(8,shortest=2))
@each
def test_attention(name):
    b=laws.make_batch(6)
    for n,w in make(name)(b).attention.items():
        r,c=(b.texts[f].mask for f in n.split("->"))
        s=w.sum(-1); assert (s<=r+1e-6).all() and (w>=0).all()
        assert not w.masked_fill(c.unsqueeze(1),0).any() and not w.masked_fill(r.unsqueeze(2),0).any()
@each
@pytest.mark.parametrize("fields",[{"premise"},{"hypothesis"},{"premise","hypothesis"}])
@pytest.mark.parametrize("all_of",[True,False])
def test_empty(name,fields,all_of):
    b=laws.make_batch(3)
    empty=Text(torch.zeros(3,1,dtype=torch.int64),torch.zeros(3,1,dtype=torch.bool))
    def some(t):
        m=t.mask.clone(); m[1]=False; return Text(t.token_ids,m)
    b=Batch({**b.texts,**{f:(empty if all_of else some(b.texts[f])) for f in fields}},b.labels)
    net=make(name); o=net(b); assert o.logits.isfinite().all()
    laws.loss(net,b).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in net.parameters())
    if not all_of: laws.assert_padding_and_batch_mates_change_nothing(net,b)

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Insurance} from "./Insurance.sol";
import {Positions} from "./Positions.sol";
import {NO_ACCOUNT, AccountId} from "./ValueTypes.sol";
import {ILiquidation} from "./interfaces/IPerps.sol";

/// Closes positions that insurance cannot take over against winners' positions; each winner pays at
/// most its profit. The choice of the winner requires no trust: anyone may replace the nominated
/// one with a higher-ranking one.
abstract contract Deleveraging is ILiquidation, Insurance {
    using Positions for Positions.Position;

    /// Delay between a nomination and the close, during which a higher-ranking winner can be
    /// nominated.
    uint256 private constant NOMINATION_SECONDS = 10;
    /// Better nominations delay the close by at most this: a winner who keeps raising other
    /// accounts above its own gains at most a minute.
    uint256 private constant NOMINATION_OPEN_SECONDS = 60;
    /// After this long a nomination is void, since the ranking may have changed.
    uint256 private constant NOMINATION_VOID_SECONDS = 120;
    /// An account with a twentieth of the loser's lots ranks above all accounts with less.
    /// Otherwise many accounts of a few lots each could keep delaying the close of a large
    /// position.
    uint256 private constant SHARE_DIVISOR = 20;
    uint256 private constant LARGE = 1 << 250; // above any other score
    uint256 private constant RATIO_MAX = type(uint120).max; // two multiply within 256 bits

    /// Delay between the first proof that the flagged loss is covered and the release of
    /// collateral, during which another loss can be flagged.
    uint256 private constant COVERED_SECONDS = 10;

    /* FLAGGED LOSSES */

    /// @inheritdoc ILiquidation
    function flagLoss(uint40 account, uint32 market) external nonReentrant {
        _flagLoss(AccountId.wrap(account), market);
    }

    function _flagLoss(AccountId account, uint32 market) private {
        _requireLive(market);
        if (!_owesAlone(account)) {
            Distress memory distress = _distressOf(account, market);
            _requireUninsured(distress);
            require(distress.favoured.equity < 0, NoLoss());
        }
        _flag(account, market);
    }

    function _flag(AccountId account, uint32 market) private {
        Loss memory loss = _loss;
        if (loss.account != NO_ACCOUNT && loss.coveredTime == 0) return;
        if (loss.account != NO_ACCOUNT) {
            emit LossCleared(loss.market, AccountId.unwrap(loss.account));
        }
        _loss = Loss(account, market, uint40(block.timestamp), 0);
        emit LossFlagged(market, AccountId.unwrap(account));
    }

    /// @inheritdoc ILiquidation
    function clearLoss() external nonReentrant {
        Loss memory loss = _loss;
        require(loss.account != NO_ACCOUNT, NoLoss());
        require(!_isUncovered(loss), LossUncovered(AccountId.unwrap(loss.account), loss.market));
        if (loss.coveredTime == 0) {
            _loss.coveredTime = uint40(block.timestamp);
            return;
        }
        uint256 clearTime = loss.coveredTime + COVERED_SECONDS;
        require(block.timestamp >= clearTime, ClearTooSoon(clearTime));
        delete _loss;
        emit LossCleared(loss.market, AccountId.unwrap(loss.account));
    }

    /// @inheritdoc ILiquidation
    function flaggedLoss() external view returns (Loss memory) {
        return _loss;
    }

    /// Reverts with IndexStale, since the loss is unknown without a price.
    function _isUncovered(Loss memory loss) private returns (bool) {
        if (_positions[loss.market][loss.account].lots == 0) return _owesAlone(loss.account);
        if (_carries[loss.market].ended) return false;
        return _isLoss(_distressOf(loss.account, loss.market));
    }

    /// Returns whether the account owes more than insurance has and can never recover, since it has
    /// no position. Its winner may have closed against another account of its own that had no
    /// profit.
    function _owesAlone(AccountId account) private view returns (bool) {
        int256 debt = -_holdings[account].collateral;
        return debt > 0 && !_hasPosition(account) && debt > _storedHealth(INSURANCE_ACCOUNT).equity;
    }

    /// Returns whether the account owes more than insurance can pay.
    function _isLoss(Distress memory distress) private view returns (bool) {
        return distress.favoured.equity < 0 && _uninsuredLots(distress) != 0;
    }

    /// The lots that only winners can take: for an account far below its margin, those beyond
    /// insurance's limits; for insurance all, when it is below zero or the market has used up its
    /// share of the fund.
    function _uninsuredLots(Distress memory distress) private view returns (uint256) {
        uint256 lots = Positions.abs(distress.lots);
        if (distress.account == INSURANCE_ACCOUNT) {
            int256 insured = distress.favoured.equity;
            return _leftOf(distress.market, insured, _bestOf(distress)) < 0 ? lots : 0;
        }
        if (!_isFarBelow(distress.favoured)) return 0;
        (uint256 room,) = _roomOf(distress);
        return lots - room;
    }

    /* RANKING */

    /// @inheritdoc ILiquidation
    function nominate(uint40 loser, uint40 winner, uint32 market) external nonReentrant {
        _nominate(AccountId.wrap(loser), AccountId.wrap(winner), market);
    }

    function _nominate(AccountId loser, AccountId winner, uint32 market) private {
        Distress memory distress = _distressOf(loser, market);
        _requireUninsured(distress);
        Nomination memory current = _nominations[market][loser];
        uint256 best = _isVoid(current) ? 0 : _scoreOf(distress, current.winner);
        uint256 score = _requireWinner(distress, winner);
        require(score > best, NotBetterWinner(AccountId.unwrap(winner), score, best));
        uint40 time = uint40(block.timestamp);
        uint40 openedTime = best == 0 ? time : current.openedTime;
        _nominations[market][loser] = Nomination(winner, openedTime, time);
        emit Nominated(market, AccountId.unwrap(loser), AccountId.unwrap(winner));
        _freeze(_positions[market][winner], openedTime + uint40(NOMINATION_VOID_SECONDS));
        if (distress.favoured.equity < 0) _flag(loser, market);
    }

    /// Keeps the winner from moving its position to another account before paying.
    function _freeze(Positions.Position storage position, uint40 until) private {
        if (until > position.frozenUntil) position.frozenUntil = until;
    }

    /// @inheritdoc ILiquidation
    function deleverage(uint40 loser, uint32 market, uint40[] calldata orders)
        external
        nonReentrant
    {
        _deleverage(AccountId.wrap(loser), market, orders);
    }

    function _deleverage(AccountId loser, uint32 market, uint40[] calldata orders) private {
        Distress memory distress = _distressOf(loser, market);
        _requireUninsured(distress);
        _cancelNamed(loser, market, orders);
        Nomination memory current = _nominations[market][loser];
        _requireReady(current, loser, market);
        delete _nominations[market][loser];
        _closeAgainst(distress, current.winner);
    }

    /// @inheritdoc ILiquidation
    function nominationOf(uint40 loser, uint32 market) external view returns (Nomination memory) {
        return _nominations[market][AccountId.wrap(loser)];
    }

    function _requireReady(Nomination memory current, AccountId loser, uint32 market)
        private
        view
    {
        require(!_isVoid(current), NotNominated(AccountId.unwrap(loser), market));
        uint256 readyTime = current.nominatedTime + NOMINATION_SECONDS;
        uint256 latest = current.openedTime + NOMINATION_OPEN_SECONDS;
        if (readyTime > latest) readyTime = latest;
        require(block.timestamp >= readyTime, NominationTooRecent(readyTime));
    }

    function _isVoid(Nomination memory nomination) private view returns (bool) {
        return block.timestamp > nomination.openedTime + NOMINATION_VOID_SECONDS;
    }

    /// Reverts unless winners must take at least part of the position.
    function _requireUninsured(Distress memory distress) private view {
        Health memory favoured = distress.favoured;
        require(
            distress.account == INSURANCE_ACCOUNT || _isFarBelow(favoured),
            NotLiquidatable(
                AccountId.unwrap(distress.account), favoured.equity, favoured.maintenanceMargin
            )
        );
        require(
            _uninsuredLots(distress) != 0,
            InsuranceSuffices(_storedHealth(INSURANCE_ACCOUNT).equity)
        );
    }

    /// The score of `winner`. Reverts unless it has an opposite position in profit and a healthy
    /// account.
    function _requireWinner(Distress memory distress, AccountId winner)
        private
        returns (uint256 score)
    {
        _settleAll(winner);
        score = _scoreOf(distress, winner);
        Positions.Position memory position = _positions[distress.market][winner];
        require(
            score != 0,
            NotWinner(AccountId.unwrap(winner), position.lots, _profitOf(distress, position))
        );
    }

    /// Profit over cost of the position, times the leverage of its account: 18 decimals and at
    /// least 1; above LARGE if it has a large enough part of the loser's lots; 0 for an account
    /// that is not a winner.
    function _scoreOf(Distress memory distress, AccountId winner)
        private
        view
        returns (uint256 score)
    {
        Positions.Position memory position = _positions[distress.market][winner];
        bool opposite = distress.lots > 0 ? position.lots < 0 : position.lots > 0;
        int256 profit = _profitOf(distress, position);
        if (winner == INSURANCE_ACCOUNT || !opposite || profit <= 0) return 0;
        Health memory health = _distressHealth(winner);
        if (health.equity <= 0 || health.equity < int256(health.maintenanceMargin)) return 0;
        uint256 gained = _ratio(uint256(profit), Positions.abs(position.quote));
        score = 1 + gained * _ratio(health.notional, uint256(health.equity)) / 1e18;
        if (Positions.abs(position.lots) * SHARE_DIVISOR >= Positions.abs(distress.lots)) {
            score += LARGE;
        }
    }

    function _profitOf(Distress memory distress, Positions.Position memory position)
        private
        pure
        returns (int256)
    {
        return position.equity(distress.quote.markPerLot, distress.quote.fundingIndex);
    }

    function _ratio(uint256 part, uint256 whole) private pure returns (uint256) {
        uint256 ratio = part * 1e18 / (whole == 0 ? 1 : whole);
        return ratio < RATIO_MAX ? ratio : RATIO_MAX;
    }

    /* CLOSING */

    /// Closes the lots that insurance may not take against the winner's position, up to its size.
    function _closeAgainst(Distress memory distress, AccountId winner) private {
        _requireWinner(distress, winner);
        uint256 count = _uninsuredLots(distress);
        uint256 held = Positions.abs(_positions[distress.market][winner].lots);
        if (held < count) count = held;
        int64 lots = _signed(distress, count);
        int256 unit = _unitAgainst(distress, winner, count);
        int256 insured = _insuranceHeld();
        _tradeOffBook(distress.market, [distress.account, winner], lots, unit);
        if (distress.account == INSURANCE_ACCOUNT) _count(distress.market, insured);
        emit Deleveraged(
            distress.market,
            AccountId.unwrap(distress.account),
            AccountId.unwrap(winner),
            lots,
            unit
        );
        _rewardFromFees(_tradeReward(distress.market, count * distress.quote.markPerLot));
    }

    function _bestOf(Distress memory distress) private view returns (uint256) {
        return _bestPerLot(distress.market, distress.quote, distress.lots > 0);
    }

    /// The price per lot that leaves the loser's margin ratio unchanged after `count` lots are
    /// closed, rounded in the loser's favour. It is no farther from the mark than the profit of
    /// each of the winner's lots, nor than its account can pay while keeping its maintenance
    /// margin.
    function _unitAgainst(Distress memory distress, AccountId winner, uint256 count)
        private
        view
        returns (int256)
    {
        // Insurance with equity gives none of it away, not even at a price of the current second.
        bool keeps = distress.account == INSURANCE_ACCOUNT && distress.favoured.equity >= 0;
        int256 away = keeps
            ? int256(Positions.abs(int256(_bestOf(distress)) - int256(distress.quote.markPerLot)))
            : Positions.ceilDiv(-_shareOf(distress, count), count);
        int256 most = _mostAway(distress, winner, count);
        if (away > most) away = most;
        return int256(distress.quote.markPerLot) + (distress.lots > 0 ? away : -away);
    }

    function _mostAway(Distress memory distress, AccountId winner, uint256 count)
        private
        view
        returns (int256)
    {
        Positions.Position memory position = _positions[distress.market][winner];
        uint256 held = Positions.abs(position.lots);
        int256 won = _profitOf(distress, position) / int256(held);
        Health memory health = _distressHealth(winner);
        uint256 gone =
            _maintenanceOf(held, distress.quote) - _maintenanceOf(held - count, distress.quote);
        int256 spare = (health.equity - int256(health.maintenanceMargin - gone)) / int256(count);
        return won < spare ? won : spare;
    }
}
